export { hasOwnContent } from './content/content.service.ts';
export { deleteUnusedFiles, listMissingFiles } from './content-files/content-files.service.ts';
export { applyVisitRetention } from './visits/visits.jobs.ts';
