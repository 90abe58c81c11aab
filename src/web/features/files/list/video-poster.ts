import { limits } from '#contract/core/limits.ts';
import { posterPath } from '#contract/files/files.ts';

interface Video {
	id: string;
	url: string;
}

/** Ids of the videos for which a poster was requested. After a failure there is no second attempt. */
const processedIds = new Set<string>();
let queue: Promise<void> = Promise.resolve();

const timeoutMs = 20_000;
/** Not 0, because the first frame is often black. */
const posterSecond = 1;

/** Draws a frame of a video and uploads it as the video's poster, because the server cannot decode videos. */
export function uploadPoster(video: Video): void {
	if (processedIds.has(video.id)) return;
	processedIds.add(video.id);
	queue = queue.then(() => drawAndUpload(video)).catch(() => {});
}

async function drawAndUpload({ id, url }: Video): Promise<void> {
	const picture = await drawFrame(url);
	if (picture === null || picture.size > limits.posterMaxBytes) return;
	const body = new FormData();
	body.set('file', picture, 'poster.webp');
	const response = await fetch(posterPath(id), { method: 'POST', body, headers: { Accept: 'application/json' } });
	// Reading the response frees its connection for another request.
	await response.text();
}

/** Draws one frame of a video, or returns null if this browser cannot play the video. */
async function drawFrame(url: string): Promise<Blob | null> {
	const video = document.createElement('video');
	video.muted = true;
	video.preload = 'metadata';
	try {
		await waitForEvent(video, 'loadedmetadata', () => {
			video.src = url;
		});
		if (video.videoWidth === 0) return null;
		await waitForEvent(video, 'seeked', () => {
			video.currentTime = Math.min(posterSecond, (Number.isFinite(video.duration) ? video.duration : 0) / 4);
		});
		const scale = Math.min(1, (2 * limits.thumbnailPx) / Math.max(video.videoWidth, video.videoHeight));
		const canvas = document.createElement('canvas');
		canvas.width = Math.max(1, Math.round(video.videoWidth * scale));
		canvas.height = Math.max(1, Math.round(video.videoHeight * scale));
		canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height);
		return await new Promise((resolve) => canvas.toBlob(resolve, 'image/webp', 0.85));
	} catch {
		return null;
	} finally {
		video.removeAttribute('src');
		video.load();
	}
}

/** Calls `start` and waits for `event`. @throws Error if the video fails or after a timeout */
function waitForEvent(video: HTMLVideoElement, event: string, start: () => void): Promise<void> {
	return new Promise((resolve, reject) => {
		const timer = setTimeout(reject, timeoutMs, new Error('The video could not be played.'));
		const options = { once: true };
		video.addEventListener(event, () => resolve(clearTimeout(timer)), options);
		video.addEventListener('error', () => reject(new Error('The video could not be played.')), options);
		start();
	});
}
