// What maintenance may do with uploads.
export { resumeOrDiscardUploads } from './uploads.service.ts';
