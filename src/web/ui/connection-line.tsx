import { IconPlugConnectedX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { m } from '#messages';
import { useIsConnectionLost } from '#web/platform/connection.ts';
import { canKeepHere, readKept } from '#web/platform/kept/kept-store.ts';
import classes from './connection-line.module.css';
import { smallIconProps } from './icon.ts';

/** How long it stands over what is read without a line. */
const readingMs = 10_000;

/** Says that the server is out of reach, as long as it is; over a book that is kept here only for a while. */
export function ConnectionLine() {
	const isLost = useIsConnectionLost();
	const book = useBookHere(isLost);
	return (
		<div role="status" className={classes.place}>
			{isLost && book !== 'told' && (
				<p className={classes.line}>
					<IconPlugConnectedX {...smallIconProps} />
					{book === 'here' ? m.common_connection_lost_kept() : m.common_connection_lost()}
				</p>
			)}
		</div>
	);
}

/** Whether this device keeps something to read meanwhile, and that has been told. */
function useBookHere(isLost: boolean): 'none' | 'here' | 'told' {
	const [book, setBook] = useState<'none' | 'here' | 'told'>('none');
	useEffect(() => {
		if (!isLost || !canKeepHere()) return;
		let isOver = false;
		let timer: number | undefined;
		readKept().then(
			(kept) => {
				if (isOver || !kept?.editions.some(({ isWhole }) => isWhole)) return;
				setBook('here');
				timer = window.setTimeout(() => setBook('told'), readingMs);
			},
			// Forbidden: then there is nothing.
			() => undefined,
		);
		return () => {
			isOver = true;
			window.clearTimeout(timer);
			setBook('none');
		};
	}, [isLost]);
	return book;
}
