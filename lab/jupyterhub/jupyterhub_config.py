"""A hub without a proxy, which nothing here goes through: only its own API is called."""
import os

from jupyterhub.proxy import Proxy


class NoProxy(Proxy):
    should_start = False
    routes = {}

    async def add_route(self, routespec, target, data):
        self.routes[routespec] = {"routespec": routespec, "target": target, "data": data}

    async def delete_route(self, routespec):
        self.routes.pop(routespec, None)

    async def get_all_routes(self):
        return self.routes


c = get_config()  # noqa: F821
c.JupyterHub.proxy_class = NoProxy
c.JupyterHub.db_url = "sqlite:///jupyterhub.sqlite"
c.JupyterHub.hub_port = int(os.environ["HUB_PORT"])
c.JupyterHub.authenticator_class = "dummy"
c.JupyterHub.spawner_class = "simple"
c.Authenticator.allow_all = True
c.JupyterHub.services = [{"name": "lab", "api_token": "lab-token-of-the-laboratory"}]
c.JupyterHub.load_roles = [
    {"name": "lab", "services": ["lab"], "scopes": ["admin:users", "admin:groups", "tokens", "list:users", "shares"]}
]
