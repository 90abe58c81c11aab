import { m } from '#messages';

/** What a space is called: the reserved ones by their names, a person's by the address. */
export function spaceName(owner: string, email: string | undefined): string {
	const key = owner.toLowerCase();
	if (key === 'guest') return m.files_space_guest();
	if (key === 'book') return m.files_space_book();
	return email ?? owner;
}
