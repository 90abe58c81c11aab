export { hasAuditEntry } from './audit.queries.ts';
export { recordAudit, recordAudits, systemCaller } from './audit.service.ts';
