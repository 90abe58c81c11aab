import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { type PictureType, paintPicture } from './sample-files.ts';

export function makePicture(type: PictureType = 'png', width = 12, height = 24): Promise<Buffer> {
	return paintPicture('#e59a34', width, height, type);
}

/** Creates a valid PNG of any size in few bytes: all black, one bit per pixel (PNG, sections 5.3 and 11.2). */
export function makeHugePng(width: number, height: number): Buffer {
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(height, 4);
	header.set([1, 0, 0, 0, 0], 8);
	const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height), { level: 1 });
	return Buffer.concat([
		Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
		chunk('IHDR', header),
		chunk('IDAT', rows),
		chunk('IEND', Buffer.alloc(0)),
	]);
}

function chunk(type: string, data: Buffer): Buffer {
	const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
	const length = Buffer.alloc(4);
	length.writeUInt32BE(data.length);
	const sum = Buffer.alloc(4);
	sum.writeUInt32BE(crc32(body));
	return Buffer.concat([length, body, sum]);
}

/** Returns another picture for each call, which hardly compresses. */
export function makeNoise(width: number, height: number): Promise<Buffer> {
	const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
	return sharp({ create: { width, height, channels: 3, background: 'white', noise } })
		.jpeg({ quality: 85 })
		.toBuffer();
}
