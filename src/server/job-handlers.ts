import { resetJob, sendResetMail } from './features/account/account.service.ts';
import { continueRemoval } from './features/removal/removal.job.ts';
import { removalJob } from './features/removal/removal.service.ts';
import type { JobHandler } from './platform/jobs/jobs.ts';

/** Who does each kind of job. */
export const jobHandlers: Record<string, JobHandler> = {
	[resetJob]: sendResetMail,
	[removalJob]: continueRemoval,
};
