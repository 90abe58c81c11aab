// What maintenance may do with credentials.
export { deleteOldLookups } from './credentials.service.ts';
