import { m } from '#messages';
import { formatCount } from '#web/platform/formats/format.ts';
import classes from './name-list.module.css';

/** Number of items that are named; the others are only counted. */
const maxNamed = 5;

interface NameListProps {
	items: ReadonlyArray<{ id: string; name: string }>;
	isPlain?: boolean;
}

/** Lists the items that an action applies to: the first few by name, the others as a number. */
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
