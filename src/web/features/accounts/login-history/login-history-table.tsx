import { Flex } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile, IconDeviceTablet, IconQuestionMark } from '@tabler/icons-react';
import type { LoginEntry } from '#contract/accounts/login-history.ts';
import { m } from '#messages';
import { formatCount, formatDateTime } from '#web/platform/formats/format.ts';
import { iconProps } from '#web/ui/primitives/icon.ts';
import classes from './login-history-table.module.css';

/** A page of sign-ins: which, when, by what, from where. On a phone each takes two lines. */
export function LoginHistoryTable({ items, isComing: isLoadingNext }: { items: LoginEntry[]; isComing: boolean }) {
	return (
		<table className={classes.table} aria-busy={isLoadingNext}>
			<thead>
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

const icons = {
	phone: IconDeviceMobile,
	tablet: IconDeviceTablet,
	computer: IconDeviceDesktop,
	unknown: IconQuestionMark,
};

function Device({ device: { browser, system, kind } }: Pick<LoginEntry, 'device'>) {
	const KindIcon = icons[kind];
	const known = browser ?? system ?? m.history_device_unknown();
	const deviceLabel = browser !== null && system !== null ? m.history_device({ browser, system }) : known;
	return (
		<Flex component="span" align="center" gap={8}>
			<KindIcon {...iconProps} />
			<span>{deviceLabel}</span>
		</Flex>
	);
}
