import { AppError } from '../../../platform/app-error.ts';

export function rejectUpload(reason: string): AppError {
	return new AppError('FILM_REFUSED', { fields: { file: reason } });
}

/** Codecs that every current browser plays. HEVC, which iPhones record, is not among them. */
const universallyPlayableCodecs: readonly string[] = ['avc', 'vp8', 'vp9', 'av1'];

/**
 * Reads a video's type and its duration in seconds from its content, regardless of the file name.
 * @throws AppError FILM_REFUSED for bytes that are not an mp4 or WebM video, and for a codec that only some browsers play
 */
export async function readVideoFile(bytes: Buffer): Promise<{ contentType: string; seconds: number }> {
	// Imported on demand: the module is large and rarely needed.
	const { BufferSource, Input, MP4, WEBM } = await import('mediabunny');
	const input = new Input({ source: new BufferSource(bytes), formats: [MP4, WEBM] });
	try {
		const isMp4 = (await input.getFormat()) === MP4;
		const track = await input.getPrimaryVideoTrack();
		const seconds = await input.computeDuration();
		if (track === null || !(seconds > 0) || !Number.isFinite(seconds)) throw rejectUpload('error_video_not_video');
		if (!universallyPlayableCodecs.includes(track.codec ?? ''))
			throw rejectUpload('error_video_not_playable_everywhere');
		return { contentType: isMp4 ? 'video/mp4' : 'video/webm', seconds };
	} catch (error) {
		throw error instanceof AppError ? error : rejectUpload('error_video_not_video');
	} finally {
		input.dispose();
	}
}
