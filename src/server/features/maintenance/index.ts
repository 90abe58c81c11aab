export { getLastBackup } from './backup/backup.service.ts';
