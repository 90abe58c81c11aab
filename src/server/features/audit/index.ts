// What other features may do with the audit list.
export { hasRecentAuditEntry, recordAudit, recordAuditFor, systemCaller } from './audit.service.ts';
