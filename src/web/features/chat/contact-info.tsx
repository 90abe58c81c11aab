import { IconMail, IconPhone } from '@tabler/icons-react';
import { m } from '#messages';
import { mailHref, phoneHref } from '#web/ui/contact-links.ts';
import { smallIconProps } from '#web/ui/icon.ts';
import { useContactInfo } from './chat.api.ts';
import classes from './contact-info.module.css';

/** How else to reach the owner; nothing where the owner tells nothing. */
export function ContactInfoLine() {
	const { data } = useContactInfo();
	if (data === undefined || (data.email === '' && data.phone === '')) return null;
	const { email, phone } = data;
	const ring = phoneHref(phone);
	return (
		<ul className={classes.line} aria-label={m.chat_contact()}>
			{email !== '' && (
				<li>
					<IconMail {...smallIconProps} />
					<a href={mailHref(email)}>{email}</a>
				</li>
			)}
			{phone !== '' && (
				<li>
					<IconPhone {...smallIconProps} />
					{ring === null ? <span>{phone}</span> : <a href={ring}>{phone}</a>}
				</li>
			)}
		</ul>
	);
}
