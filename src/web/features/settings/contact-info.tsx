import { IconMail, IconPhone } from '@tabler/icons-react';
import { m } from '#messages';
import { mailHref, phoneHref } from '#web/platform/formats/contact-links.ts';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import classes from './contact-info.module.css';
import { useContactInfo } from './contact-info-api.ts';

/** How else to reach the owner; nothing where the owner tells nothing. */
export function ContactInfoLine() {
	const { data } = useContactInfo();
	if (data === undefined || (data.email === '' && data.phone === '')) return null;
	const { email, phone } = data;
	const phoneLink = phoneHref(phone);
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
					{phoneLink === null ? <span>{phone}</span> : <a href={phoneLink}>{phone}</a>}
				</li>
			)}
		</ul>
	);
}
