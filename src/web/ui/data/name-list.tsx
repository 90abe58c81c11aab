import { Stack } from '@mantine/core';
import { m } from '#messages';
import { formatCount } from '#web/platform/formats/format.ts';

const maxNamed = 5;

/** Lists the names of the first items, and the number of further items. */
export function NameList({ items }: { items: ReadonlyArray<{ id: string; name: string }> }) {
	const more = items.length - maxNamed;
	return (
		<Stack component="ul" gap={4} style={{ overflowWrap: 'anywhere' }}>
			{items.slice(0, maxNamed).map(({ id, name }) => (
				<li key={id} style={{ fontWeight: 500 }}>
					<bdi>{name}</bdi>
				</li>
			))}
			{more > 0 && <li>{m.files_and_more({ count: formatCount(more) })}</li>}
		</Stack>
	);
}
