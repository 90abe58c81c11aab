import { Link } from '@tanstack/react-router';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import classes from './node-place.module.css';

/** The search parameters that lead on from an entry; the same object for as long as it can be, so that rows are not drawn anew. */
export interface EntryLinks {
	into: (folder: Node) => Record<string, string>;
	/** To the folder that a found entry stands in; null where there is no such way. */
	placeOf: (node: Node) => Record<string, string> | null;
}

/** Where a search found something: the way to it from the top, as a link. */
export function NodePlace({ node, links }: { node: Node; links: EntryLinks }) {
	const { folders } = node;
	if (folders === null) return null;
	const way = folders.length === 0 ? m.files_at_top() : folders.join(' / ');
	const search = links.placeOf(node);
	if (search === null) {
		return (
			<span className={classes.place} title={way} dir="auto">
				{way}
			</span>
		);
	}
	return (
		<Link
			to="."
			search={search}
			className={classes.place}
			tabIndex={-1}
			draggable={false}
			title={way}
			aria-label={m.files_go_to_place({ place: way })}
			dir="auto"
		>
			{way}
		</Link>
	);
}
