export { listVideoBlobIds } from './videos/videos.service.ts';
export { applyVisitRetention } from './visits/visits.jobs.ts';
