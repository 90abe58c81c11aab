import { continueAccountDeletion } from './features/accounts/deletion/deletion.jobs.ts';
import { accountDeletionJob } from './features/accounts/deletion/deletion.service.ts';
import { passwordResetJob, sendResetMail } from './features/accounts/passwords/password-links.ts';
import { outlineJob, watermarkAllJob, watermarkJob } from './features/book/book.jobs.ts';
import { readOutlines } from './features/book/chapter-matching/chapter-matching.jobs.ts';
import { enqueueCopiesBatch, makeCopiesOfUser } from './features/book/watermark/watermark.jobs.ts';
import { chatDeletionJob, continueChatDeletion } from './features/chat/deletion/deletion.service.ts';
import { copyJob } from './features/files/copy-move/copy-job-payload.ts';
import { runCopyStep } from './features/files/copy-move/copy-move.jobs.ts';
import { makeThumbnails, pdfThumbnailJob, thumbnailJob } from './features/files/thumbnails/thumbnails.service.ts';
import { purgeJob, runPurgeStep } from './features/files/trash/trash.jobs.ts';
import {
	redetectContentTypes,
	redetectContentTypesJob,
} from './features/maintenance/content-types/content-types.jobs.ts';
import {
	runDiskSpaceCheck,
	spaceWarningsJob,
} from './features/maintenance/disk-space-warnings/disk-space-warnings.service.ts';
import { maintenanceJob, runHourlyMaintenance } from './features/maintenance/tasks/tasks.service.ts';
import { visitsJob } from './features/storefront/visits/visit-settings.ts';
import { continueVisitRetention } from './features/storefront/visits/visits.jobs.ts';
import type { JobHandlers } from './platform/jobs/jobs.ts';

export const jobHandlers: JobHandlers = {
	[passwordResetJob]: sendResetMail,
	[accountDeletionJob]: continueAccountDeletion,
	[copyJob]: runCopyStep,
	[purgeJob]: runPurgeStep,
	[chatDeletionJob]: continueChatDeletion,
	[thumbnailJob]: { max: 32, run: makeThumbnails },
	[pdfThumbnailJob]: { max: 1, run: makeThumbnails },
	[watermarkJob]: makeCopiesOfUser,
	[watermarkAllJob]: enqueueCopiesBatch,
	[outlineJob]: readOutlines,
	[visitsJob]: continueVisitRetention,
	[maintenanceJob]: runHourlyMaintenance,
	[redetectContentTypesJob]: redetectContentTypes,
	[spaceWarningsJob]: runDiskSpaceCheck,
};
