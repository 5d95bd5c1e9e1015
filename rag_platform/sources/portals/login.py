"""Logging in as a person would: find the fields of a login page, fill them, and see what comes of it.

The fields are found by what they are, not by their names: the one visible password field that asks for a known
password, and the text field before it in its form. Pages that ask for the name first, forms in frames and in shadow
trees, banners that cover the page and hidden fields that catch robots are taken into account.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from rag_platform.core.errors import FetchError, LoginFailed
from rag_platform.core.urls import shown
from rag_platform.sources.browser.browser import Visit
from rag_platform.sources.portals.portal_settings import PortalSource

if TYPE_CHECKING:
    import playwright.sync_api as playwright

CLICK_SECONDS = 3.0
ANSWER_SECONDS = 3.0
"""After the network has become quiet: how long a page may still show its form before that counts as refused."""
FIND = r"""
([userField, passwordField, submitButton]) => {
  const NAME = new RegExp('user|login|mail|\\beid\\b|^id$|\\bdni\\b|\\bnif\\b|usuari|usuár|account|konto|cuenta' +
    '|identif|matr|benutzer|学', 'i');
  const ENTER = new RegExp('log\\s*-?\\s*[io]n|sign\\s*-?\\s*in|enter|entrar|acced|inicia|identif|continu|next' +
    '|siguient|seguent|weiter|anmeld|connexion|suivant|avanti|accedi|ログイン|次へ', 'i');
  const NOT = /search|buscar|query|^q$|newsletter|coupon|captcha/i;
  const CODE = /\botp\b|totp|2fa|one.?time|verification.?code/i;
  const all = root => [...root.querySelectorAll('*')].flatMap(e => e.shadowRoot ? [e, ...all(e.shadowRoot)] : [e]);
  const words = e => [e.name, e.id, e.placeholder, e.autocomplete, e.getAttribute('aria-label'),
                      ...[...(e.labels || [])].map(l => l.textContent)].join(' ');
  const seen = e => {
    const box = e.getBoundingClientRect();
    return e.checkVisibility({opacityProperty: true, visibilityProperty: true}) && box.width > 4 && box.height > 4
      && box.right + scrollX > 0 && box.bottom + scrollY > 0 && !e.disabled && !e.readOnly
      && !e.closest('[aria-hidden="true"]');
  };
  const elements = all(document);
  const inputs = elements.filter(e => e.tagName === 'INPUT' && e.tabIndex >= 0 && seen(e));
  const picked = selector => selector ? document.querySelector(selector) : null;
  const once = e => e.autocomplete === 'one-time-code' || CODE.test(words(e));

  const secret = e => e.type === 'password' && e.autocomplete !== 'new-password';
  const known = inputs.filter(e => secret(e) && !once(e));
  const alone = known.filter(e => known.filter(o => o.form === e.form).length === 1);
  const place = form => form ? form.id + form.getAttribute('action') : '';
  const forLogin = e => /log|sign|auth|acce/i.test(words(e) + place(e.form));
  const password = picked(passwordField) || alone.find(forLogin) || alone[0] || known[0] || null;

  const texts = inputs.filter(e => ['text', 'email', 'tel', 'number', ''].includes(e.type)
                                   && !NOT.test(words(e)) && !once(e));
  let user = picked(userField);
  if (!user && password) {
    const before = texts.filter(e => e.form === password.form && elements.indexOf(e) < elements.indexOf(password));
    user = before.findLast(e => NAME.test(words(e))) || before.at(-1) || null;
  } else if (!user) {
    user = texts.find(e => e.autocomplete === 'username' || NAME.test(words(e))) || null;
  }

  const field = password || user;
  const near = field ? (field.form ? all(field.form) : elements) : [];
  const pressed = ['submit', 'image', 'button'];
  const buttons = near.filter(e => seen(e) && (e.matches('button, [role=button]')
                                               || (e.tagName === 'INPUT' && pressed.includes(e.type))));
  const label = e => [e.textContent, e.value, e.title, e.getAttribute('aria-label'), e.id].join(' ');
  const submits = buttons.filter(e => e.type === 'submit' || e.type === 'image');
  const submit = picked(submitButton) || submits.find(e => ENTER.test(label(e))) || submits[0]
                 || buttons.find(e => ENTER.test(label(e))) || null;
  return {password, user, submit, code: inputs.some(once)};
}
"""
COMPLAINT = r"""
() => {
  const marks = ['[role=alert]', '[aria-live=assertive]', '[id*=error i]', '#msg',
                 ...['error', 'alert', 'danger', 'invalid'].map(word => `[class*=${word} i]`)];
  return [...document.querySelectorAll(marks.join(','))]
    .filter(e => e.checkVisibility({opacityProperty: true, visibilityProperty: true}) && !e.querySelector('input'))
    .map(e => e.innerText.trim().replace(/\s+/g, ' ')).find(text => text.length > 3) || '';
}
"""
CONSENT = r"""
() => {
  const marks = ['cookie', 'consent'].flatMap(word => [`[id*=${word} i]`, `[class*=${word} i]`]);
  const boxes = [...document.querySelectorAll([...marks, '[role=dialog]'].join(','))];
  const buttons = boxes.flatMap(box => [...box.querySelectorAll('button, [role=button], a, input[type=button]')])
    .filter(e => e.checkVisibility() && (e.innerText || e.value || '').trim().length < 40);
  const say = pattern => buttons.find(e => pattern.test((e.innerText || e.value || '').trim()));
  const button = say(/reject|refus|decline|rechaz|rebutj|necessary|necesari|ablehn|deny/i)
                 || say(/accept|agree|allow|acept|accepta|permit|zustimm|^ok$|got it|entend/i);
  if (button) button.click();
}
"""
ENTRANCE = r"""
() => {
  const says = new RegExp('^\\W*(log\\s*-?\\s*in|sign\\s*-?\\s*in|acceder|acceso|entrar|iniciar sesi.n|inicia sessi.|' +
    'identificarse|anmelden|connexion|accedi|ログイン)\\W*$', 'i');
  const link = [...document.querySelectorAll('a[href], button')]
    .find(e => e.checkVisibility() && says.test(e.innerText || e.title || ''));
  if (link) link.click();
  return Boolean(link);
}
"""


def log_in(visit: Visit, settings: PortalSource, user: str, password: str) -> None:
    """Log in on a portal's login page; the visit then has the cookies of the session.

    The password is sent once.

    Raises:
        Refused: the portal did not accept user and password.
        LoginFailed: there is no form that we understand, or a second factor is asked for.
        FetchError: the page could not be loaded.
    """
    address = settings.login_url or (f"{settings.root}/portal/login" if settings.profile == "sakai" else settings.url)
    answer = visit.open(address)
    if answer.status >= 400 and not (answer.status in (401, 403) and answer.content):
        raise FetchError(f"the login page {shown(address)} answered {answer.status}; check login_url and url")
    visit.settle()
    form = _reach_form(visit, settings)
    if form.user is not None:
        form.user.fill(user)
    if form.password is None and form.user is not None:
        _submit(visit, form.user, form)
        form = _wait_for(visit, settings, lambda found: found.password is not None or found.code)
    elif form.user is None and not _name_is_known(visit, user):
        raise LoginFailed(f"{_where(visit, settings)} has a field for a password and none for a name; set user_field")
    if form.password is None:
        raise _failed(visit, settings, form, password)
    form.password.fill(password)
    _submit(visit, form.password, form)
    visit.settle(seconds=settings.fetch.timeout)  # a slow answer is not yet a refusal
    form = _wait_for(visit, settings, lambda found: not found.password or bool(_complaint(visit)), ANSWER_SECONDS)
    if form.password is not None or form.code:
        raise _failed(visit, settings, form, password, sent=True)


class Refused(LoginFailed):
    """The portal knows no such user with such a password."""


class _Form:
    """The fields of a login page that were found in one frame."""

    def __init__(self, frame: "playwright.Frame", settings: PortalSource) -> None:
        selectors = [settings.user_field, settings.password_field, settings.submit_button]
        found = frame.evaluate_handle(FIND, selectors)
        properties = found.get_properties()
        self.user, self.password, self.submit = (
            properties[name].as_element() for name in ("user", "password", "submit")
        )
        self.code = bool(properties["code"].json_value())


def _find(visit: Visit, settings: PortalSource) -> _Form:
    """Look for the form in all frames; one with a password goes before one with a name alone."""
    forms: list[_Form] = []
    end = time.monotonic() + settings.fetch.timeout
    while not forms:
        for frame in visit.page.frames:
            with suppress(_errors()):  # a frame that is just going somewhere else
                forms.append(_Form(frame, settings))
        if time.monotonic() > end:
            raise LoginFailed(f"{_where(visit, settings)} keeps changing")
    return max(forms, key=lambda form: (form.password is not None, form.user is not None, form.code))


def _wait_for(visit: Visit, settings: PortalSource, ready: Callable[[_Form], bool], seconds: float = 10.0) -> _Form:
    end = time.monotonic() + seconds
    while not ready(form := _find(visit, settings)) and time.monotonic() < end:
        visit.page.wait_for_timeout(100)
    return form


def _reach_form(visit: Visit, settings: PortalSource) -> _Form:
    """Follow a link to the login when the page itself has no form."""
    _close_banner(visit)
    form = _find(visit, settings)
    if form.password is None and form.user is None:
        with suppress(_errors()):
            visit.page.evaluate(ENTRANCE)
        visit.settle()
        form = _wait_for(visit, settings, lambda found: bool(found.password or found.user), ANSWER_SECONDS)
    if form.password is None and form.user is None:
        raise LoginFailed(
            f"no login form was found on {_where(visit, settings)}; set login_url, or user_field and password_field"
        )
    return form


def _close_banner(visit: Visit) -> None:
    for frame in visit.page.frames:
        with suppress(_errors()):
            frame.evaluate(CONSENT)


def _submit(visit: Visit, field: "playwright.ElementHandle", form: _Form) -> None:
    """Press the form's button; when there is none, or something covers it, press Enter."""
    _close_banner(visit)
    if form.submit is not None:
        with suppress(_errors()):
            form.submit.click(timeout=CLICK_SECONDS * 1000, no_wait_after=True)
            return
    field.press("Enter", no_wait_after=True)


def _name_is_known(visit: Visit, user: str) -> bool:
    """Return whether the page shows the name: then it was given already."""
    return user in visit.html()


def _failed(visit: Visit, settings: PortalSource, form: _Form, password: str, *, sent: bool = False) -> LoginFailed:
    where = _where(visit, settings)
    if form.code:
        return LoginFailed(
            f"{where} asks for a second factor, which cannot be given here; log in with your own browser and import "
            f"its cookies: rag portal cookies {settings.id} FILE"
        )
    complaint = _complaint(visit)
    reason = f": it says {complaint.replace(password, '***')!r}" if complaint else ""
    if sent:
        return Refused(f"{where} did not accept the user and the password{reason}")
    return LoginFailed(f"{where} did not ask for a password after the name{reason}")


def _complaint(visit: Visit) -> str:
    """Return what the page says is wrong."""
    for frame in visit.page.frames:
        with suppress(_errors()):
            if complaint := frame.evaluate(COMPLAINT):
                return str(complaint)[:200]
    return ""


def _where(visit: Visit, settings: PortalSource) -> str:
    return f"the login page {shown(visit.page.url.partition('?')[0])} of source {settings.id!r}"


def _errors() -> type[Exception]:
    from playwright.sync_api import Error

    return Error
