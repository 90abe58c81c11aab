// What maintenance may do with the storefront’s videos and visits.
export { listVideoBlobIds } from './videos/videos.service.ts';
export { applyVisitRetention } from './visits/visits.jobs.ts';
