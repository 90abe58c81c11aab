export interface EditedText {
	text: string;
	/** The selection after the change. */
	start: number;
	end: number;
}

/** Puts `mark` around the selection, or removes it. Without a selection, the cursor is between the marks. */
export function toggleMark({ text, start, end }: EditedText, mark: string): EditedText {
	const selected = text.slice(start, end);
	const isInside = text.slice(start - mark.length, start) === mark && text.slice(end, end + mark.length) === mark;
	// A single asterisk is also the end of a double one.
	const isOtherMark = mark === '*' && text.slice(start - 2, start) === '**' && text.slice(start - 3, start) !== '***';
	if (isInside && !isOtherMark) {
		return {
			text: text.slice(0, start - mark.length) + selected + text.slice(end + mark.length),
			start: start - mark.length,
			end: end - mark.length,
		};
	}
	return {
		text: text.slice(0, start) + mark + selected + mark + text.slice(end),
		start: start + mark.length,
		end: end + mark.length,
	};
}

/** Puts `prefix` at the start of each selected line, or removes it if every line has it. */
export function togglePrefix({ text, start, end }: EditedText, prefix: string): EditedText {
	const from = text.lastIndexOf('\n', start - 1) + 1;
	const nextBreak = text.indexOf('\n', end);
	const to = nextBreak === -1 ? text.length : nextBreak;
	const lines = text.slice(from, to).split('\n');
	const isSet = lines.every((line) => line.startsWith(prefix));
	const changed = lines.map((line) => (isSet ? line.slice(prefix.length) : prefix + line)).join('\n');
	return { text: text.slice(0, from) + changed + text.slice(to), start: from, end: from + changed.length };
}

/** Inserts a block with empty lines around it. The cursor is behind it. */
export function insertBlock({ text, end }: EditedText, block: string): EditedText {
	const before = text.slice(0, end).replace(/\n*$/u, '');
	const after = text.slice(end).replace(/^\n*/u, '');
	const start = before === '' ? block : `${before}\n\n${block}`;
	return { text: after === '' ? start : `${start}\n\n${after}`, start: start.length, end: start.length };
}
