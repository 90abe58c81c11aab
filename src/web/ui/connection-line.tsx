import { IconPlugConnectedX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { m } from '#messages';
import { useIsConnectionLost } from '#web/platform/connection.ts';
import { canKeepHere, readKept } from '#web/platform/kept/kept-store.ts';
import classes from './connection-line.module.css';
import { smallIconProps } from './icon.ts';

/** Says that the server is out of reach, as long as it is. */
export function ConnectionLine() {
	const isLost = useIsConnectionLost();
	const isBookHere = useIsBookHere(isLost);
	return (
		<div role="status" className={classes.place}>
			{isLost && (
				<p className={classes.line}>
					<IconPlugConnectedX {...smallIconProps} />
					{isBookHere ? m.common_connection_lost_kept() : m.common_connection_lost()}
				</p>
			)}
		</div>
	);
}

/** Whether this device keeps something to read meanwhile. */
function useIsBookHere(isLost: boolean): boolean {
	const [isHere, setHere] = useState(false);
	useEffect(() => {
		if (!isLost || !canKeepHere()) return;
		readKept().then(
			(kept) => setHere(kept?.editions.some(({ isWhole }) => isWhole) === true),
			// Forbidden: then there is nothing.
			() => setHere(false),
		);
	}, [isLost]);
	return isHere;
}
