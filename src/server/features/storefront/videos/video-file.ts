import { InvalidFileError } from '../../../platform/app-error.ts';

/** Thrown for a file that is not a video, or is a video that some browsers cannot play. */
export class VideoFileError extends InvalidFileError<'not-film' | 'not-for-all'> {
	override name = 'VideoFileError';
}

/** Codecs that every current browser plays. HEVC, which iPhones record, is not among them. */
const universallyPlayableCodecs: readonly string[] = ['avc', 'vp8', 'vp9', 'av1'];

/**
 * Reads a video's type and its duration in seconds from its content, regardless of the file name.
 * @throws VideoFileError for bytes that are not an mp4 or WebM video, and for a codec that only some browsers play
 */
export async function readVideoFile(bytes: Buffer): Promise<{ contentType: string; seconds: number }> {
	// Imported on demand: the module is large and rarely needed.
	const { BufferSource, Input, MP4, WEBM } = await import('mediabunny');
	const input = new Input({ source: new BufferSource(bytes), formats: [MP4, WEBM] });
	try {
		const isMp4 = (await input.getFormat()) === MP4;
		const track = await input.getPrimaryVideoTrack();
		const seconds = await input.computeDuration();
		if (track === null || !(seconds > 0) || !Number.isFinite(seconds)) throw new VideoFileError('not-film');
		if (!universallyPlayableCodecs.includes(track.codec ?? '')) throw new VideoFileError('not-for-all');
		return { contentType: isMp4 ? 'video/mp4' : 'video/webm', seconds };
	} catch (error) {
		throw error instanceof VideoFileError ? error : new VideoFileError('not-film');
	} finally {
		input.dispose();
	}
}
