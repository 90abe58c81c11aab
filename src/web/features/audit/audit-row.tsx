import { Group } from '@mantine/core';
import {
	IconChevronDown,
	IconFile,
	IconHistory,
	IconKey,
	IconReceiptRupee,
	IconSettings,
	IconShieldLock,
	IconUser,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import type { AuditEntry, AuditLink } from '#contract/audit/audit.ts';
import { m } from '#messages';
import { formatDateTime } from '#web/platform/formats/format.ts';
import { Button } from '#web/ui/primitives/button.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import textClasses from '#web/ui/primitives/text.module.css';
import classes from './audit.module.css';

const kindIcons = {
	people: IconUser,
	'sign-in': IconShieldLock,
	orders: IconReceiptRupee,
	files: IconFile,
	settings: IconSettings,
	credentials: IconKey,
	other: IconHistory,
};

export function AuditRow({ entry }: { entry: AuditEntry }) {
	const detailsId = useId();
	const [isOpen, setOpen] = useState(false);
	const KindIcon = kindIcons[entry.kind ?? 'other'];
	return (
		<li className={classes.row}>
			<KindIcon {...iconProps} className={classes.icon} />
			<div>
				<p className={classes.sentence}>
					{entry.sentence.map(({ text, names }, index) => {
						const target = names === 'who' ? entry.whoPlace : names === 'whom' ? entry.whomPlace : null;
						// biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence keep their order.
						return <SentencePart key={index} text={text} isName={names !== null} target={target} />;
					})}
				</p>
				<Group component="p" gap="0 12px" align="stretch" className={textClasses.smallFigure}>
					<time dateTime={entry.at}>{formatDateTime(entry.at)}</time>
					{entry.ip !== 'Unknown' && <span>{m.audit_from_ip({ ip: entry.ip })}</span>}
				</Group>
			</div>
			<Button
				variant="quiet"
				size="small"
				icon={IconChevronDown}
				className={classes.unfold}
				aria-expanded={isOpen}
				aria-controls={detailsId}
				onClick={() => setOpen(!isOpen)}
			>
				<span className={textClasses.hiddenOnPhone}>{m.audit_details()}</span>
			</Button>
			<dl id={detailsId} className={classes.details} hidden={!isOpen}>
				{[
					...entry.details,
					{ label: m.audit_iso(), value: entry.at },
					{ label: m.history_ip(), value: entry.ip },
					{ label: m.audit_action(), value: entry.action },
				].map(({ label, value }) => (
					<div key={`${label} ${value}`} className={classes.detail}>
						<dt>{label}</dt>
						<dd>{value}</dd>
					</div>
				))}
			</dl>
		</li>
	);
}

function SentencePart({ text, isName, target }: { text: string; isName: boolean; target: AuditLink | null }) {
	if (!isName) return text;
	if (target === null) return <bdi className={classes.name}>{text}</bdi>;
	const { screen, email } = target;
	const link =
		screen === 'space'
			? { to: '/user/$email', params: { email } }
			: { to: screen === 'order' ? '/Bookdashboard' : '/admin', search: { search: email } };
	return (
		<Link {...link} className={classes.name}>
			<bdi>{text}</bdi>
		</Link>
	);
}
