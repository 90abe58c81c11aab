import { m } from '#messages';
import { formatCount } from '#web/platform/format.ts';
import classes from './name-list.module.css';

/** So many are named; the rest is counted. */
const namedAtMost = 5;

interface NameListProps {
	things: ReadonlyArray<{ id: string; name: string }>;
	/** Without bullets. */
	isPlain?: boolean;
}

/** What something is done to: the first few of many by name. */
export function NameList({ things, isPlain = false }: NameListProps) {
	const more = things.length - namedAtMost;
	return (
		<ul className={classes.names} data-plain={isPlain || undefined}>
			{things.slice(0, namedAtMost).map(({ id, name }) => (
				<li key={id} className={classes.name}>
					<bdi>{name}</bdi>
				</li>
			))}
			{more > 0 && <li>{m.files_and_more({ count: formatCount(more) })}</li>}
		</ul>
	);
}
