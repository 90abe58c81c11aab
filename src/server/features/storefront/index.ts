// Public interface of the storefront: the functions for videos and visits that maintenance calls.
export { listVideoBlobIds } from './videos/videos.service.ts';
export { applyVisitRetention } from './visits/visits.jobs.ts';
