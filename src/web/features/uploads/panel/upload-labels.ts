import { m } from '#messages';
import type { UploadSummary } from '../upload-task.ts';

/** How long the rest takes. */
export function timeLeftText(seconds: number): string {
	if (seconds < 60) return m.files_seconds_left({ count: seconds });
	if (seconds < 3600) return m.files_minutes_left({ count: Math.ceil(seconds / 60) });
	return m.files_hours_left({ count: Math.ceil(seconds / 3600) });
}

/** What all uploads together are doing; `left` are those that no tab has in hand. */
export function panelTitle(summary: UploadSummary, unfinishedCount: number): string {
	const { running, paused, failed, done, skipped, canceled } = summary;
	if (running > 0) return running === 1 ? m.files_uploading_one() : m.files_uploading({ count: running });
	if (paused > 0) return m.files_uploads_paused();
	if (failed + done + skipped + canceled === 0 && unfinishedCount > 0)
		return unfinishedCount === 1 ? m.uploads_unfinished_one() : m.uploads_unfinished_many({ count: unfinishedCount });
	if (failed + done + skipped === 0) return m.uploads_canceled_all();
	return failed > 0 ? m.files_uploads_failed_title() : m.files_uploads_finished();
}
