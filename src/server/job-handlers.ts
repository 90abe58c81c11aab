import { resetJob, sendResetMail } from './features/account/password-links.service.ts';
import { clearingJob, continueClearing } from './features/chat/chat-clearing.service.ts';
import { makeCopies, wishAllCopies } from './features/copies/copies.job.ts';
import { copiesJob, copiesOfAllJob } from './features/copies/copies.wish.service.ts';
import { continueCopy } from './features/files/files.copy-job.ts';
import { copyJob } from './features/files/files.copy-work.ts';
import { continuePurge, purgeJob } from './features/files/files.purge.ts';
import { makeThumbnail, thumbnailJob } from './features/files/thumbnails.service.ts';
import { readOutlines } from './features/outlines/outlines.job.ts';
import { outlinesJob } from './features/outlines/outlines.wish.service.ts';
import { continueRemoval } from './features/removal/removal.job.ts';
import { removalJob } from './features/removal/removal.service.ts';
import { sniffAgain, sniffAgainJob } from './features/upkeep/sniff-again.job.ts';
import { checkSpace, spaceWarningsJob } from './features/upkeep/space-warnings.service.ts';
import { keepUp, upkeepJob } from './features/upkeep/upkeep.service.ts';
import { visitsJob } from './features/visits/visit-settings.service.ts';
import { continueTidying } from './features/visits/visit-upkeep.service.ts';
import type { JobHandler } from './platform/jobs/jobs.ts';

/** Who does each kind of job. */
export const jobHandlers: Record<string, JobHandler> = {
	[resetJob]: sendResetMail,
	[removalJob]: continueRemoval,
	[copyJob]: continueCopy,
	[purgeJob]: continuePurge,
	[clearingJob]: continueClearing,
	[thumbnailJob]: makeThumbnail,
	[copiesJob]: makeCopies,
	[copiesOfAllJob]: wishAllCopies,
	[outlinesJob]: readOutlines,
	[visitsJob]: continueTidying,
	[upkeepJob]: keepUp,
	[sniffAgainJob]: sniffAgain,
	[spaceWarningsJob]: checkSpace,
};
