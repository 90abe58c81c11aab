import { Group, Text } from '@mantine/core';
import { IconCopy, IconDownload, IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import { m } from '#messages';
import { siteName } from '#web/platform/browser/site.ts';
import { useMe } from '#web/platform/session/session.ts';
import { Button } from '#web/ui/primitives/button.tsx';
import { copyText } from '#web/ui/primitives/copy-button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import classes from './two-factor.module.css';

export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
	const { email } = useMe();
	const [copied, setCopied] = useState<'yes' | 'failed'>();
	const text = `${m.two_factor_file_header({ email, site: siteName() })}\n\n${codes.join('\n')}\n`;

	const copy = async () => setCopied((await copyText(text)) ? 'yes' : 'failed');
	const download = () => {
		const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
		const link = document.createElement('a');
		link.href = url;
		link.download = 'folio-recovery-codes.txt';
		link.click();
		URL.revokeObjectURL(url);
	};

	return (
		<>
			<p>{m.two_factor_codes_intro()}</p>
			<div className={classes.sheet}>
				<Text mb={8} c="dimmed" fz={13} style={{ overflowWrap: 'anywhere' }}>
					{m.two_factor_file_header({ email, site: siteName() })}
				</Text>
				<ul className={classes.codes}>
					{codes.map((code) => (
						<li key={code}>{code}</li>
					))}
				</ul>
			</div>
			<Group gap={8}>
				<Button size="small" icon={IconCopy} onClick={() => void copy()}>
					{m.two_factor_copy()}
				</Button>
				<Button size="small" icon={IconDownload} onClick={download}>
					{m.two_factor_download()}
				</Button>
				<Button size="small" icon={IconPrinter} onClick={() => window.print()}>
					{m.two_factor_print()}
				</Button>
			</Group>
			{copied === 'yes' && <Notice tone="positive">{m.two_factor_copied()}</Notice>}
			{copied === 'failed' && <Notice tone="negative">{m.two_factor_copy_failed()}</Notice>}
		</>
	);
}
