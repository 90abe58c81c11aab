import type { BusMessage } from './bus.ts';

/** Channel of whole messages, as JSON: `{ from, message }`. */
export const channel = 'folio';
/** Channel of messages too long for one notification, in chunks: a line of JSON, then text. */
export const chunkChannel = 'folio_pieces';

/** A notification must be shorter than 8,000 bytes (PostgreSQL, sql-notify). */
const payloadBytes = 7000;
/** After this time an incomplete message is dropped, because its sender has died. */
const chunkTimeoutMs = 30_000;

/** One notification. */
export interface Payload {
	channel: string;
	text: string;
}

/** Header of a chunk; chunks of a message are sent in order. */
interface ChunkHeader {
	from: string;
	/** Number of the message, unique for its sender. */
	id: number;
	piece: number;
	of: number;
}

/** All message kinds of this version; another running version may send others. */
const messageKinds: Readonly<Record<BusMessage['kind'], true>> = {
	event: true,
	ended: true,
	role: true,
	resync: true,
	recheck: true,
	lease: true,
};

/** Encodes a message of any length as notifications. */
export function encodeMessage(from: string, id: number, message: BusMessage): Payload[] {
	const text = JSON.stringify({ from, message });
	if (Buffer.byteLength(text) <= payloadBytes) return [{ channel, text }];
	const texts = splitUtf8(Buffer.from(JSON.stringify(message)));
	return texts.map((part, piece) => {
		const head: ChunkHeader = { from, id, piece, of: texts.length };
		return { channel: chunkChannel, text: `${JSON.stringify(head)}\n${part}` };
	});
}

/** Space for the header line of a chunk. */
const chunkHeaderBytes = 200;

function splitUtf8(bytes: Buffer): string[] {
	const texts: string[] = [];
	for (let start = 0; start < bytes.length; ) {
		let end = Math.min(start + payloadBytes - chunkHeaderBytes, bytes.length);
		// Never cuts inside a character, whose continuation bytes are 10xxxxxx (RFC 3629).
		while (end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
		texts.push(bytes.toString('utf8', start, end));
		start = end;
	}
	return texts;
}

/** Joins the chunks of messages. */
interface Receiver {
	/** @returns the complete message; null while chunks are missing, and for unknown message kinds */
	receive(payload: Payload): { from: string; message: BusMessage } | null;
	/** Drops incomplete messages after a lost connection. */
	reset(): void;
}

export function createReceiver(now: () => number = () => performance.now()): Receiver {
	/** Incomplete messages by sender, who sends one message after the other. */
	const begun = new Map<string, { id: number; texts: string[]; atMs: number }>();

	function receivePiece(text: string): { from: string; message: BusMessage } | null {
		const lineEnd = text.indexOf('\n');
		const { from, id, piece, of } = JSON.parse(text.slice(0, lineEnd)) as ChunkHeader;
		for (const [sender, { atMs }] of begun) if (now() - atMs > chunkTimeoutMs) begun.delete(sender);
		if (piece === 0) begun.set(from, { id, texts: [], atMs: now() });
		const known = begun.get(from);
		// The first chunks were sent before this process listened.
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
