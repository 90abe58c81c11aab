import { crc32, inflateRawSync } from 'node:zlib';

/**
 * Reads all entries of the central directory and checks their checksums.
 * Source: PKWARE's APPNOTE 6.3.10, sections 4.3.7, 4.3.12, 4.3.16 and 4.4.6.
 * @throws Error when the archive is invalid, or a name is not marked as UTF-8
 */
export function readZip(archive: Buffer) {
	const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
	if (end < 0) throw new Error('The archive has no end of central directory record.');
	const count = archive.readUInt16LE(end + 10);
	let at = archive.readUInt32LE(end + 16);
	return Array.from({ length: count }, () => {
		if (archive.readUInt32LE(at) !== 0x02014b50) throw new Error(`The central directory has no entry at byte ${at}.`);
		const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset));
		const name = archive.toString('utf8', at + 46, at + 46 + (nameLength ?? 0));
		if ((archive.readUInt16LE(at + 8) & 0x0800) === 0) throw new Error(`The name ${name} is not marked as UTF-8.`);
		const method = archive.readUInt16LE(at + 10);
		const local = archive.readUInt32LE(at + 42);
		const begin = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
		const packed = archive.subarray(begin, begin + archive.readUInt32LE(at + 20));
		const bytes = method === 0 ? Buffer.from(packed) : inflateRawSync(packed);
		if (crc32(bytes) !== archive.readUInt32LE(at + 16) || bytes.length !== archive.readUInt32LE(at + 24))
			throw new Error(`${name} has a wrong checksum or size.`);
		const date = dateOf(archive.readUInt16LE(at + 14), archive.readUInt16LE(at + 12));
		at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0);
		/** `date`: modification time, without a time zone: 2026-11-20 09:12:00. */
		return { name, bytes, isStored: method === 0, date };
	});
}

function dateOf(day: number, time: number): string {
	const two = (value: number) => String(value).padStart(2, '0');
	const date = [1980 + (day >> 9), two((day >> 5) & 15), two(day & 31)].join('-');
	return `${date} ${[time >> 11, (time >> 5) & 63, (time & 31) * 2].map(two).join(':')}`;
}
