import { InvalidFileError } from '../../../platform/invalid-file-error.ts';

/** A film cannot be shown to everybody. */
export class VideoFileError extends InvalidFileError<'not-film' | 'not-for-all'> {
	override name = 'FilmError';
}

/** What every browser of today plays. HEVC, which iPhones record, is not among them. */
const universallyPlayableCodecs: readonly string[] = ['avc', 'vp8', 'vp9', 'av1'];

/**
 * Reads a film's own tables, whatever its name says: its type, and how long it lasts.
 * @throws VideoFileError for bytes that are no mp4 or WebM with moving pictures, and for pictures that only some browsers play
 */
export async function readVideoFile(bytes: Buffer): Promise<{ contentType: string; seconds: number }> {
	// Seldom needed, and large.
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
