import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Output, WebMOutputFormat } from 'mediabunny';

/** Reads the demo's video: six seconds of H.264 in an MP4 file. */
export function readMp4(): Promise<Buffer> {
	return readFile(join(import.meta.dirname, '../../../demo/media/morning-routine.mp4'));
}

/** Creates a WebM of two seconds with valid metadata; its frames cannot be decoded. */
export async function writeWebm(): Promise<Buffer> {
	const output = new Output({ format: new WebMOutputFormat(), target: new BufferTarget() });
	const source = new EncodedVideoPacketSource('vp9');
	output.addVideoTrack(source);
	await output.start();
	const decoderConfig = { codec: 'vp09.00.10.08', codedWidth: 64, codedHeight: 36 };
	for (let second = 0; second < 2; second += 1)
		await source.add(new EncodedPacket(new Uint8Array([0x82, 0x49, 0x83, 0x42]), 'key', second, 1), { decoderConfig });
	await output.finalize();
	return Buffer.from(output.target.buffer ?? new ArrayBuffer());
}

/** Creates an MP4 file that declares its video as HEVC (ISO 14496-15, 8.4.1); its frames are H.264. */
export async function writeHevc(): Promise<Buffer> {
	const film = await readMp4();
	for (const [h264Name, hevcName] of [
		['avc1', 'hvc1'],
		['avcC', 'hvcC'],
	] as const) {
		const at = film.lastIndexOf(h264Name);
		film.write(hevcName, at, 'latin1');
	}
	return film;
}

export const captions = 'WEBVTT\n\n00:00.500 --> 00:02.000\nपिरामिड पर सूरज उगता है।\n';
