"""An identity provider on loopback that speaks OpenID Connect: discovery, authorisation code with PKCE, signed tokens.

Whoever is sent to it chooses on a page of links who they are.
"""

import base64
import hashlib
import secrets
import time
from contextlib import contextmanager
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

from tests.loopback import LoopbackHandler, LoopbackServer, running

CLIENT, SECRET = "page", "only-for-tests"


class IdentityProvider(LoopbackServer):
    """Knows people by the names on its links; `people[name]` are their claims."""

    def __init__(self, people):
        super().__init__(_Handler)
        self.people = people
        self.key = RSAKey.generate_key(2048, {"kid": "1", "use": "sig", "alg": "RS256"})
        self.codes = {}

    def secrets_toml(self, page):
        """Return what the page at that address has to know of us."""
        auth = {
            "redirect_uri": f"{page}/oauth2callback",
            "cookie_secret": "0123456789abcdef0123456789abcdef",
            "client_id": CLIENT,
            "client_secret": SECRET,
            "server_metadata_url": f"{self.address}/.well-known/openid-configuration",
        }
        return "[auth]\n" + "".join(f'{key} = "{value}"\n' for key, value in auth.items())

    def claims(self, name, nonce):
        now = int(time.time())
        own = {"iss": self.address, "aud": CLIENT, "sub": name, "iat": now, "exp": now + 3600, "nonce": nonce}
        return own | self.people[name]


class _Handler(LoopbackHandler):
    def do_GET(self):
        url = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        match url.path:
            case "/.well-known/openid-configuration":
                self.answer(self._metadata())
            case "/jwks":
                self.answer({"keys": [self.server.key.as_dict(private=False)]})
            case "/authorize" if "as" in query:
                code = secrets.token_urlsafe(8)
                self.server.codes[code] = query
                self.send_response(302)
                self.send_header(
                    "location", f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}"
                )
                self.end_headers()
            case "/authorize":
                links = (f'<p><a href="?{url.query}&as={name}">{name}</a></p>' for name in self.server.people)
                self.answer("".join(links).encode(), headers={"content-type": "text/html"})
            case _:
                self.answer(b"", 404)

    def do_POST(self):
        sent = parse_qs(self.body().decode())
        asked = self.server.codes.pop(sent["code"][0])
        proof = (
            base64.urlsafe_b64encode(hashlib.sha256(sent["code_verifier"][0].encode()).digest()).rstrip(b"=").decode()
        )
        if proof != asked["code_challenge"]:
            self.answer({"error": "invalid_grant"}, 400)
            return
        claims = self.server.claims(asked["as"], asked["nonce"])
        token = jwt.encode({"alg": "RS256", "kid": "1"}, claims, self.server.key)
        self.answer({"access_token": "a", "token_type": "Bearer", "expires_in": 3600, "id_token": token})

    def _metadata(self):
        own = self.server.address
        return {
            "issuer": own,
            "authorization_endpoint": f"{own}/authorize",
            "token_endpoint": f"{own}/token",
            "jwks_uri": f"{own}/jwks",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"],
        }


@contextmanager
def identity_provider(people):
    """Run an identity provider that knows these people."""
    with running(IdentityProvider(people)) as server:
        yield server
