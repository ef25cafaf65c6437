//! PlayCanvas model JSON.
