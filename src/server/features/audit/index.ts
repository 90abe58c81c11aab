export { hasAuditEntry } from './audit.queries.ts';
export { recordAudit, systemCaller } from './audit.service.ts';
