// Public interface of the storefront, for maintenance: videos and visits.
export { listVideoBlobIds } from './videos/videos.service.ts';
export { applyVisitRetention } from './visits/visits.jobs.ts';
