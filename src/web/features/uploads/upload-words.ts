import { m } from '#messages';
import type { UploadSummary } from './upload-task.ts';

/** How long the rest takes. */
export function wordsForTime(seconds: number): string {
	if (seconds < 60) return m.files_seconds_left({ count: seconds });
	if (seconds < 3600) return m.files_minutes_left({ count: Math.ceil(seconds / 60) });
	return m.files_hours_left({ count: Math.ceil(seconds / 3600) });
}

/** What all uploads together are doing; `left` are those that no tab has in hand. */
export function titleOf({ running, paused, failed, done }: UploadSummary, left: number): string {
	if (running > 0) return running === 1 ? m.files_uploading_one() : m.files_uploading({ count: running });
	if (paused > 0) return m.files_uploads_paused();
	if (failed + done === 0 && left > 0) return left === 1 ? m.uploads_left_one() : m.uploads_left_many({ count: left });
	return failed > 0 ? m.files_uploads_failed_head() : m.files_uploads_over();
}
