export { findFailure as findCopyFailure } from './copies.failure.queries.ts';
