import { m } from '#messages';
import { formatCount } from '#web/platform/formats/format.ts';
import classes from './name-list.module.css';

/** So many are named; the rest is counted. */
const maxNamed = 5;

interface NameListProps {
	items: ReadonlyArray<{ id: string; name: string }>;
	/** Without bullets. */
	isPlain?: boolean;
}

/** What something is done to: the first few of many by name. */
export function NameList({ items, isPlain = false }: NameListProps) {
	const more = items.length - maxNamed;
	return (
		<ul className={classes.names} data-plain={isPlain || undefined}>
			{items.slice(0, maxNamed).map(({ id, name }) => (
				<li key={id} className={classes.name}>
					<bdi>{name}</bdi>
				</li>
			))}
			{more > 0 && <li>{m.files_and_more({ count: formatCount(more) })}</li>}
		</ul>
	);
}
