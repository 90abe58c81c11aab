// Public interface of the credentials feature, for maintenance.
export { deleteOldLookups } from './credentials.service.ts';
