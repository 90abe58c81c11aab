// Public interface of the audit list.
export { hasAuditEntry } from './audit.queries.ts';
export { recordAudit, systemCaller } from './audit.service.ts';
