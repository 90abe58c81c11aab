// Public interface of the audit list.
export { hasAuditEntry } from './audit.queries.ts';
export { recordAudit, recordAuditFor, systemCaller } from './audit.service.ts';
