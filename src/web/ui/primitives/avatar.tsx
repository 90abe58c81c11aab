import { Center } from '@mantine/core';

const tints = 5;

/** A hash of the email, so that a user always has the same tint. */
function tintOf(email: string): number {
	let hash = 0;
	for (const letter of email.toLowerCase()) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 65_521;
	return (hash % tints) + 1;
}

/** Uses the first and last word of the name, or of the email if there is no name. */
function initialsOf(name: string | null, email: string): string {
	const words = (name ?? email.split('@')[0] ?? '').split(/[\s._+-]+/u).filter((word) => word !== '');
	const initialWords = words.length > 1 ? [words[0], words.at(-1)] : [words[0] ?? email];
	return initialWords.map((word = '') => firstLetter(word)).join('');
}

function firstLetter(word: string): string {
	const [segment] = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(word);
	return (segment?.segment ?? '').toLocaleUpperCase();
}

interface AvatarProps {
	name: string | null;
	email: string;
	size?: 32 | 40;
	isMuted?: boolean;
}

/** Hidden from screen readers, which read the user's name or email from another element. */
export function Avatar({ name, email, size = 40, isMuted = false }: AvatarProps) {
	const tint = tintOf(email);
	const colors = isMuted
		? { background: 'var(--line)', color: 'var(--ink-2)' }
		: { background: `var(--avatar-${tint})`, color: `var(--on-avatar-${tint})` };
	const fontSize = size === 32 ? 'var(--text-12)' : 'var(--text-14)';
	return (
		<Center
			component="span"
			inline
			bdrs="50%"
			fw={600}
			lh={1}
			style={{ ...colors, flex: 'none', width: size, height: size, fontSize }}
			aria-hidden
		>
			{initialsOf(name, email)}
		</Center>
	);
}
