import { Flex } from '@mantine/core';
import type { LoginEntry } from '#contract/accounts/administration.ts';
import { m } from '#messages';
import { formatCount, formatDateTime, formatDevice } from '#web/platform/formats/format.ts';
import { iconProps } from '#web/ui/primitives/icon.ts';
import textClasses from '#web/ui/primitives/text.module.css';
import { deviceIcons } from '../sessions/sessions-api.ts';
import classes from './login-history-table.module.css';

export function LoginHistoryTable({ items, isFetching }: { items: LoginEntry[]; isFetching: boolean }) {
	return (
		<table className={classes.table} aria-busy={isFetching}>
			<thead className={textClasses.hiddenOnPhone}>
				<tr>
					<th scope="col" className={classes.number}>
						{m.history_number()}
					</th>
					<th scope="col">{m.history_time()}</th>
					<th scope="col">{m.history_device_column()}</th>
					<th scope="col">{m.history_ip()}</th>
				</tr>
			</thead>
			<tbody>
				{items.map((entry) => (
					<tr key={entry.id}>
						<td className={classes.number}>{formatCount(entry.loginCount)}</td>
						<td className={classes.time}>
							<time dateTime={entry.lastLogin}>{formatDateTime(entry.lastLogin)}</time>
						</td>
						<td title={entry.browserInfo}>
							<Device device={entry.device} />
						</td>
						<td className={classes.ip}>{entry.ipAddresses.map(({ ip }) => ip).join(', ')}</td>
					</tr>
				))}
			</tbody>
		</table>
	);
}

function Device({ device }: Pick<LoginEntry, 'device'>) {
	const KindIcon = deviceIcons[device.kind];
	return (
		<Flex component="span" align="center" gap={8}>
			<KindIcon {...iconProps} />
			<span>{formatDevice(device)}</span>
		</Flex>
	);
}
