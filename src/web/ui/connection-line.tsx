import { IconPlugConnectedX } from '@tabler/icons-react';
import { m } from '#messages';
import { useIsConnectionLost } from '#web/platform/connection.ts';
import classes from './connection-line.module.css';
import { smallIconProps } from './icon.ts';

/** Says that the server is out of reach, as long as it is. */
export function ConnectionLine() {
	const isLost = useIsConnectionLost();
	return (
		<div role="status" className={classes.place}>
			{isLost && (
				<p className={classes.line}>
					<IconPlugConnectedX {...smallIconProps} />
					{m.common_connection_lost()}
				</p>
			)}
		</div>
	);
}
