//! Signals that end the command.

/// Removes unfinished files on interruption (SIGINT) and on the request to end (SIGTERM). On other systems,
/// and after a kill, unfinished files stay until the next run into their folder removes them.
pub(crate) fn watch() {
    #[cfg(unix)]
    if let Ok(mut signals) =
        signal_hook::iterator::Signals::new([signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM])
    {
        std::thread::spawn(move || {
            for signal in signals.forever() {
                dopesheet::save::abandon();
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
        });
    }
}
