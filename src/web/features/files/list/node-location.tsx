import { Link } from '@tanstack/react-router';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import classes from './node-location.module.css';

/** The search parameters that lead on from an entry; the same object for as long as it can be, so that rows are not drawn anew. */
export interface NodeLinks {
	toFolder: (folder: Node) => Record<string, string>;
	/** To the folder that a found entry stands in; null where there is no such way. */
	toParent: (node: Node) => Record<string, string> | null;
}

/** Where a search found something: the way to it from the top, as a link. */
export function NodeLocation({ node, links }: { node: Node; links: NodeLinks }) {
	const { folders } = node;
	if (folders === null) return null;
	const path = folders.length === 0 ? m.files_at_root() : folders.join(' / ');
	const search = links.toParent(node);
	if (search === null) {
		return (
			<span className={classes.location} title={path} dir="auto">
				{path}
			</span>
		);
	}
	return (
		<Link
			to="."
			search={search}
			className={classes.location}
			tabIndex={-1}
			draggable={false}
			title={path}
			aria-label={m.files_go_to_location({ place: path })}
			dir="auto"
		>
			{path}
		</Link>
	);
}
