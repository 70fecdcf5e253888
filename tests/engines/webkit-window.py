#!/usr/bin/python3
"""A browser window around WebKitGTK for the driver. Unlike MiniBrowser, it stores its profile while it is driven.

Takes the folder of the profile and runs until it is killed.
"""
import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2  # noqa: E402

folder = sys.argv[1]
kept = WebKit2.WebsiteDataManager(base_data_directory=f"{folder}/data", base_cache_directory=f"{folder}/cache")
context = WebKit2.WebContext(website_data_manager=kept)


def open_window(_session):
    view = WebKit2.WebView(web_context=context, is_controlled_by_automation=True)
    window = Gtk.Window(default_width=1024, default_height=768)
    window.add(view)
    window.show_all()
    view.connect("close", lambda _view: window.destroy())
    return view


def start(_context, session):
    session.connect("create-web-view", open_window)


context.set_automation_allowed(True)
context.connect("automation-started", start)
Gtk.main()
