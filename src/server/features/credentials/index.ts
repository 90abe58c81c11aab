export { deleteOldLookups } from './credentials.service.ts';
