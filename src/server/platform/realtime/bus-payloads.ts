import type { BusMessage } from './bus.ts';

/** Whole messages, as JSON: `{ from, message }`. */
export const channel = 'folio';
/** Pieces of messages that are too long for one notification: a line of JSON, then text. Who knows no pieces does not listen. */
export const chunkChannel = 'folio_pieces';

/** A notification holds less than 8,000 bytes (PostgreSQL, sql-notify). */
const payloadBytes = 7000;
/** What has not come together for so long never will: its sender is gone. */
const chunkTimeoutMs = 30_000;

/** One notification. */
export interface Payload {
	channel: string;
	text: string;
}

/** Of one message: in the order in which they must be sent. */
interface ChunkHeader {
	from: string;
	/** Of the message, among those of its sender. */
	id: number;
	piece: number;
	of: number;
}

/** Every kind there is: another version beside this one may say what this one does not know. */
const messageKinds: Readonly<Record<BusMessage['kind'], true>> = {
	hint: true,
	ended: true,
	role: true,
	resync: true,
	recheck: true,
	lease: true,
};

/** The notifications of a message, whatever its length. */
export function encodeMessage(from: string, id: number, message: BusMessage): Payload[] {
	const text = JSON.stringify({ from, message });
	if (Buffer.byteLength(text) <= payloadBytes) return [{ channel, text }];
	const texts = splitUtf8(Buffer.from(JSON.stringify(message)));
	return texts.map((part, piece) => {
		const head: ChunkHeader = { from, id, piece, of: texts.length };
		return { channel: chunkChannel, text: `${JSON.stringify(head)}\n${part}` };
	});
}

/** Room for the line before a piece. */
const chunkHeaderBytes = 200;

function splitUtf8(bytes: Buffer): string[] {
	const texts: string[] = [];
	for (let start = 0; start < bytes.length; ) {
		let end = Math.min(start + payloadBytes - chunkHeaderBytes, bytes.length);
		// Not inside a character: its further bytes are 10xxxxxx (RFC 3629).
		while (end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
		texts.push(bytes.toString('utf8', start, end));
		start = end;
	}
	return texts;
}

/** Puts together what came in pieces. */
export interface Receiver {
	/** @returns the message that is whole now; null while pieces are out, and for what this version does not know */
	receive(payload: Payload): { from: string; message: BusMessage } | null;
	/** Forgets what has begun: its other pieces were missed. */
	reset(): void;
}

export function createReceiver(now: () => number = () => performance.now()): Receiver {
	/** By sender: each sends one message after the other. */
	const begun = new Map<string, { id: number; texts: string[]; atMs: number }>();

	function receivePiece(text: string): { from: string; message: BusMessage } | null {
		const lineEnd = text.indexOf('\n');
		const { from, id, piece, of } = JSON.parse(text.slice(0, lineEnd)) as ChunkHeader;
		for (const [sender, { atMs }] of begun) if (now() - atMs > chunkTimeoutMs) begun.delete(sender);
		if (piece === 0) begun.set(from, { id, texts: [], atMs: now() });
		const known = begun.get(from);
		// Its beginning was said before we listened.
		if (known === undefined || known.id !== id || known.texts.length !== piece) return null;
		known.texts.push(text.slice(lineEnd + 1));
		if (known.texts.length < of) return null;
		begun.delete(from);
		return { from, message: JSON.parse(known.texts.join('')) as BusMessage };
	}

	return {
		receive({ channel: name, text }) {
			const received =
				name === chunkChannel ? receivePiece(text) : (JSON.parse(text) as { from: string; message: BusMessage });
			return received !== null && Object.hasOwn(messageKinds, received.message.kind) ? received : null;
		},
		reset: () => begun.clear(),
	};
}
