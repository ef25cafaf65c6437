// Starts the program a second time, for what takes long. The page sends the program itself, so that it is not fetched again;
// what else is said between them stands in src/platform/worker.rs.
import start from './viewer.js';

onmessage = ({ data }) => {
  onmessage = null;
  start({ module_or_path: data });
};
